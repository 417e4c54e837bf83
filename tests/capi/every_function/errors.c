/* Version, statuses and the error text. */
#include "tests/capi/every_function/check.h"

void test_errors(void) {
  vtb_status s;
  CHECK(strcmp(vtb_last_error(), "") == 0); /* before the first failing call */
  CHECK(vtb_abi() == VTB_ABI);
  CHECK(strchr(vtb_version(), '.') != NULL);
  CHECK(strcmp(vtb_status_name(VTB_OK), "VTB_OK") == 0);
  CHECK(strcmp(vtb_status_name(VTB_E_ARG), "VTB_E_ARG") == 0);
  for (s = VTB_E_INTERNAL; s <= VTB_OK; s++) CHECK(strncmp(vtb_status_name(s), "VTB_", 4) == 0);
  CHECK(strcmp(vtb_status_name(1), "unknown status") == 0);
  CHECK(strcmp(vtb_status_name(INT32_MIN), "unknown status") == 0);
}
