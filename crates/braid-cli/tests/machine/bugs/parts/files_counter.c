static double counter;
void count_up(double by) { counter += by; }
double counted(void) { return counter; }
