import type { PdfField } from './pdf-page.js'

/** A form field, note or link on a page in PDF.js (ISO 32000-1 §12.5). */
interface Annotation {
  subtype?: string
  fieldType?: string
  fieldValue?: unknown
  rect?: number[]
  hidden?: boolean
  password?: boolean
  checkBox?: boolean
  radioButton?: boolean
  buttonValue?: string
  exportValue?: string
  contentsObj?: { str?: string }
  titleObj?: { str?: string }
}

const MAX_FIELDS = 500
const HIDDEN_VALUES = /^(?:Off)?$/

/** The field values and note texts of a page, without passwords and hidden fields. */
export function extrasOf(annotations: readonly Annotation[]): { fields: PdfField[]; notes: string[] } {
  const fields: PdfField[] = []
  const notes: string[] = []
  for (const annotation of annotations.slice(0, MAX_FIELDS)) {
    const { subtype, hidden, rect = [], contentsObj, titleObj } = annotation
    if (hidden) continue
    if (subtype === 'Widget') {
      const text = fieldText(annotation).replace(/\s+/g, ' ').trim()
      if (text !== '') fields.push({ text, left: rect[0] ?? 0, bottom: rect[1] ?? 0, top: rect[3] ?? 0 })
    } else if (subtype !== 'Link' && subtype !== 'Popup') {
      const said = contentsObj?.str?.replace(/\s+/g, ' ').trim() ?? ''
      const by = titleObj?.str?.trim() ? ` by ${titleObj.str.trim()}` : ''
      if (said !== '') notes.push(subtype === 'FreeText' ? said : `Comment${by}: ${said}`)
    }
  }
  return { fields, notes }
}

function fieldText({
  fieldType,
  fieldValue,
  password,
  checkBox,
  radioButton,
  buttonValue,
  exportValue,
}: Annotation): string {
  if (password) return ''
  const value = Array.isArray(fieldValue) ? fieldValue.join(', ') : String(fieldValue ?? '')
  if (fieldType !== 'Btn') return fieldType === 'Sig' ? '' : value
  if (checkBox) return HIDDEN_VALUES.test(value) ? '[ ]' : '[x]'
  return radioButton && !HIDDEN_VALUES.test(value) && value === (buttonValue ?? exportValue) ? '[x]' : ''
}
