/** Where a folder on another machine is, for people: the same path on two machines is two places. */
export const locationOn = (folder: string, machine: string) => `${folder} on ${machine}`

const MACHINE = /^ on [^/\\]+$/

/** Whether two locations may be one. Runs beside the service name no machine; then the path decides. */
export function isSameLocation(one: string, other: string): boolean {
  const [shorter, longer] = one.length < other.length ? [one, other] : [other, one]
  return longer.startsWith(shorter) && (longer === shorter || MACHINE.test(longer.slice(shorter.length)))
}
