/** The activity of tests that do not look at it. */
export const noActivity = {
  record() {},
  async forgetSafe() {},
  async forgetAccount() {},
}
