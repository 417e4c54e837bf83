/* vertebra.h must compile by itself, twice in one unit, as C99 and as C++11, without a warning and without hidden padding. */
#include <vertebra/vertebra.h>

int main(void) { return 0; }
