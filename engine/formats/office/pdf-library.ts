import { getResolvedPDFJS } from 'unpdf'

/** Bytes of one buffer, or of one array of references: a stream or a table of a PDF that unpacks to more is not read. */
const MAX_SIZE = 8_388_608
const REFERENCE_BYTES = 8
const originals = { Uint8Array, Array }

/**
 * PDF.js, in a build without canvas and network. It unpacks whole streams into buffers outside the heap, which
 * no limit of the heap covers; two kilobytes can unpack to gigabytes, and one character with a high number makes a table of
 * sixteen million. PDF.js hides the error for what is too large, so `onTooLarge` is called for a stream as well; a font
 * without its table of characters is read by its encoding.
 */
export async function loadPdfjs(onTooLarge: () => void): ReturnType<typeof getResolvedPDFJS> {
  globalThis.Uint8Array = limited(originals.Uint8Array, MAX_SIZE, onTooLarge)
  globalThis.Array = limited(originals.Array, MAX_SIZE / REFERENCE_BYTES)
  // PDF.js would collect all that this gives; without it, it unpacks into its own buffers.
  Reflect.deleteProperty(globalThis, 'DecompressionStream')
  // Node 20 has none, and without it PDF.js ends its list of a page's operators at the first font.
  Object.assign(ArrayBuffer.prototype, {
    transferToFixedLength(this: ArrayBuffer, length?: number) {
      return this.slice(0, length)
    },
  })
  return getResolvedPDFJS()
}

/** The type, whose instances have at most so many elements when they are made. */
function limited<Type extends Uint8ArrayConstructor | ArrayConstructor>(
  original: Type,
  most: number,
  onTooLarge = () => {},
): Type {
  const Limited: Type = new Proxy(original, {
    construct(type, values, caller): object {
      const [size] = values
      if (typeof size === 'number' && size > most) {
        onTooLarge()
        throw new RangeError('This would be too large.')
      }
      return Reflect.construct(type, values, caller === Limited ? type : caller)
    },
  })
  return Limited
}
