import { isUtf8 } from 'node:buffer'
import { type Entry, getFileNameLowLevel } from 'yauzl'

/** The name of a file in a zip. Many programs write UTF-8 without the flag, for which the specification requires code page 437. */
export const zipName = ({ generalPurposeBitFlag, fileNameRaw, extraFields }: Entry): string =>
  isUtf8(fileNameRaw)
    ? fileNameRaw.toString('utf8')
    : getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false)
