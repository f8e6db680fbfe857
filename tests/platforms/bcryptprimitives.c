// Wine 8 lacks this system library of Windows 10, from which Rust's standard library takes random bytes. For tests alone.
#include <windows.h>
#include <ntsecapi.h>

// RtlGenRandom is SystemFunction036 of advapi32.
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T length) { return RtlGenRandom(data, length); }
