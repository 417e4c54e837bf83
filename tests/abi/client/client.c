/* The smallest client: header and library must be of one ABI. */
#include <stdio.h>
#include <vertebra/vertebra.h>

int main(void) {
  printf("header %d, library %u\n", VTB_ABI, (unsigned)vtb_abi());
  return vtb_abi() == VTB_ABI ? 0 : 1;
}
