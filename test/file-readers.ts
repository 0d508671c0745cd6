import { FileReaders } from '../domain/safes/imports/file-readers.js'

/** Imports the packages that all tests of a process use: starting a reader takes longer than most tests. */
export const fileReaders = new FileReaders()
