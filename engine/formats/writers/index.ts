import { csvExport } from './csv.js'
import type { ExportFormat } from './format.js'
import { jsonlExport } from './jsonl.js'
import { ntriplesExport } from './ntriples.js'

export const EXPORT_FORMATS: readonly ExportFormat[] = [jsonlExport, ntriplesExport, csvExport]
