import { createRequire } from 'node:module'
import { basename } from 'node:path'
import { rootDir } from '../../../platform/common/package.js'

const require = createRequire(import.meta.url)
const mapsOf = (): Partial<Record<string, string>> =>
  require(`${rootDir}/engine/formats/office/character-maps.json`).maps

/**
 * Gives PDF.js the predefined character maps (ISO 32000-1 §9.7.5.2). Many fonts of Chinese, Japanese and Korean PDFs
 * need them, embedded or not; without them PDF.js leaves out such text. `scripts/pdf-character-maps.mjs` makes the file.
 */
export class CharacterMaps {
  /** @throws Error if there is no such map; PDF.js then skips the text of this font */
  async fetch({ filename }: { filename: string }): Promise<Uint8Array> {
    const map = mapsOf()[basename(filename, '.bcmap')]
    if (map === undefined) throw new Error('This file is not available.')
    return new Uint8Array(Buffer.from(map, 'base64'))
  }
}
