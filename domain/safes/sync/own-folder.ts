/** The synced folder that holds the notes written on pages (ADR 70). It is on no disk, and no run of another folder may have its name. */
export const NOTES_FOLDER = 'Notes written here'

/** Where the folder "is": a place that no folder can have. */
export const NOWHERE = ''
