/** The location of a folder on another machine, for people: the same path on two machines is two locations. */
export const locationOn = (folder: string, machine: string) => `${folder} on ${machine}`

const MACHINE = /^ on [^/\\]+$/

/** Whether two locations may be the same. Runs on the service's own machine name no machine; then the path decides. */
export function isSameLocation(one: string, other: string): boolean {
  const [shorter, longer] = one.length < other.length ? [one, other] : [other, one]
  return longer.startsWith(shorter) && (longer === shorter || MACHINE.test(longer.slice(shorter.length)))
}

/** The synced folder with the notes written on pages (ADR 70). It is not on disk, and no run of another folder may have its name. */
export const NOTES_FOLDER = 'Notes written here'

/** Where the folder "is": a location that no folder can have. */
export const NOWHERE = ''
