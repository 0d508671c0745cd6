import { FileReaders } from '../domain/safes/imports/file-readers.js'

/** Read what all tests of a process import: to start a reader takes longer than most tests do. */
export const fileReaders = new FileReaders()
