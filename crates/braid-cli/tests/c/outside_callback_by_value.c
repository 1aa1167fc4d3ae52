// expect: unknown (`use` has no body, and could call `answer`
struct calls { int (*function)(void); int number; };
void use(struct calls c);

int answer(void) { return 42; }

int main() {
    struct calls c = {answer, 1};
    use(c);
}
