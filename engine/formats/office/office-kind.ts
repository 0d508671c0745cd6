import type { FileHead } from '../shared/file-head.js'

/** Content types of the main part (ECMA-376-1 §15.2, including templates and macros). */
const MAIN = {
  word: /\bwordprocessingml\.(?:document|template)\.main\b|\bms-word\.(?:document|template)\.macroEnabled\.main/,
  xl: /\bspreadsheetml\.(?:sheet|template)\.main\b|\bms-excel\.(?:sheet|template)\.macroEnabled\.main/,
  ppt: /\bpresentationml\.(?:presentation|slideshow|template)\.main\b|\bms-powerpoint\.(?:presentation|slideshow|template)\.macroEnabled\.main/,
} as const

/** Whether a file is an Office document (OOXML) of this kind, by its content types or file names. */
export function isOffice({ declares, parts }: FileHead, kind: keyof typeof MAIN): boolean {
  if (MAIN[kind].test(declares)) return true
  const isPackage = parts.some(part => part === '[Content_Types].xml' || part === '_rels/.rels')
  return isPackage && parts.some(part => part.startsWith(`${kind}/`) && part.endsWith('.xml'))
}
