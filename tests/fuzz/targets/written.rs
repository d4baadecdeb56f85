#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| drop(tawla_fuzz::written(data)));
