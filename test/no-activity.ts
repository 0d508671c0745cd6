/** The activity, for tests that do not check it. */
export const noActivity = {
  record() {},
  async forget() {},
}
