/** Folders and tags of a Safe, or of a folder in it, with their numbers of documents. */
export interface Outline {
  folders: { folder: string; documents: number }[]
  tags: TagCount[]
}

export type TagCount = { tag: string; documents: number }
