/** The synced folder with the notes written on pages (ADR 70). It is not on disk, and no run of another folder may have its name. */
export const NOTES_FOLDER = 'Notes written here'

/** Where the folder "is": a location that no folder can have. */
export const NOWHERE = ''
