/** Returns milliseconds since 1970. Passed as a parameter, so that tests can control time. */
export type Clock = () => number
