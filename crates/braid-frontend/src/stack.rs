//! Room for recursion: readers of nested text run on a thread with a large stack.

/// Nesting is limited, and this is more than what the limits need.
const STACK: usize = 256 << 20;

/// Runs the reader where there is room; says in a sentence if there is no memory for that.
pub(crate) fn on_a_large_stack<T: Send>(read: impl FnOnce() -> T + Send) -> Result<T, String> {
    let result = std::thread::scope(|scope| {
        let reader = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, read);
        reader.map(|reader| reader.join())
    });
    match result {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(panic)) => std::panic::resume_unwind(panic),
        Err(error) => Err(format!("there is no memory for a thread to read the program: {error}")),
    }
}
