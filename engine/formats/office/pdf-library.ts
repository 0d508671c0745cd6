import { getResolvedPDFJS } from 'unpdf'

/** Maximum bytes of a buffer or an array of references; larger streams and tables of a PDF are not read. */
const MAX_SIZE = 8_388_608
const REFERENCE_BYTES = 8
const originals = { Uint8Array, Array }

/**
 * PDF.js, built without canvas and network. It decompresses streams into buffers outside the heap, which no heap
 * limit covers: two kilobytes can become gigabytes, and one high character code creates a table of sixteen
 * million entries. PDF.js hides the error, so `onTooLarge` is also called for a stream; a font without its character
 * table is read by its encoding.
 */
export async function loadPdfjs(onTooLarge: () => void): ReturnType<typeof getResolvedPDFJS> {
  globalThis.Uint8Array = limited(originals.Uint8Array, MAX_SIZE, onTooLarge)
  globalThis.Array = limited(originals.Array, MAX_SIZE / REFERENCE_BYTES)
  // PDF.js would collect the whole output of this class; without it, it uses its own buffers.
  Reflect.deleteProperty(globalThis, 'DecompressionStream')
  // Missing in Node 20, where PDF.js would stop listing a page's operators at the first font.
  Object.assign(ArrayBuffer.prototype, {
    transferToFixedLength(this: ArrayBuffer, length?: number) {
      return this.slice(0, length)
    },
  })
  return getResolvedPDFJS()
}

/** A constructor that limits the size of new instances. */
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
