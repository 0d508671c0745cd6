// Writes engine/formats/office/character-maps.json: the predefined character maps of PDF (ISO 32000-1, table 118) and those
// of their collections to Unicode, which unpdf leaves out. They come from the version of PDF.js that unpdf contains:
//   npm pack pdfjs-dist@5.6.205 && tar xzf pdfjs-dist-5.6.205.tgz
//   node scripts/pdf-character-maps.mjs package/cmaps
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'

const ENCODINGS = [
  'GB-EUC GBpc-EUC GBK-EUC GBKp-EUC GBK2K UniGB-UCS2 UniGB-UTF16',
  'B5pc HKscs-B5 ETen-B5 ETenms-B5 CNS-EUC UniCNS-UCS2 UniCNS-UTF16',
  '83pv-RKSJ 90ms-RKSJ 90msp-RKSJ 90pv-RKSJ Add-RKSJ EUC Ext-RKSJ UniJIS-UCS2 UniJIS-UCS2-HW UniJIS-UTF16',
  'KSC-EUC KSCms-UHC KSCms-UHC-HW KSCpc-EUC UniKS-UCS2 UniKS-UTF16',
].flatMap(line => line.split(' '))
const COLLECTIONS = ['GB1', 'CNS1', 'Japan1', 'Korea1'].map(name => `Adobe-${name}-UCS2`)
const wanted = new Set([...ENCODINGS.flatMap(name => [`${name}-H`, `${name}-V`]), 'H', 'V', ...COLLECTIONS])

const [folder = 'package/cmaps'] = process.argv.slice(2)
const license = readFileSync(join(folder, 'LICENSE'), 'utf8')
  .replaceAll(/%%Copyright: ?/g, '')
  .trim()
const names = readdirSync(folder).map(name => basename(name, '.bcmap'))
const maps = names
  .filter(name => wanted.has(name))
  .map(name => [name, readFileSync(join(folder, `${name}.bcmap`), 'base64')])
const text = JSON.stringify({ license, maps: Object.fromEntries(maps) }, null, 1)
writeFileSync('engine/formats/office/character-maps.json', `${text}\n`)
