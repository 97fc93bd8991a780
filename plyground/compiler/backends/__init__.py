"""Back ends over the typed form: LLVM's text for native code, and WebAssembly."""
