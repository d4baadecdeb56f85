#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| tawla_fuzz::json(data));
