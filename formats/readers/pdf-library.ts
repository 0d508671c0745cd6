import { getResolvedPDFJS } from 'unpdf'

/** Bytes of one buffer: a stream of a PDF that unpacks to more is not read. */
const LARGEST = 8_388_608
const Original = Uint8Array

/**
 * PDF.js, in a build without canvas and network. It unpacks whole streams into buffers outside the heap, which
 * no limit of the heap covers; two kilobytes can unpack to gigabytes. PDF.js hides the error for a stream that is
 * too large, so `onTooLarge` is called as well.
 */
export async function loadPdfjs(onTooLarge: () => void): ReturnType<typeof getResolvedPDFJS> {
  globalThis.Uint8Array = limited(onTooLarge)
  // PDF.js would collect all that this gives; without it, it unpacks into its own buffers.
  Reflect.deleteProperty(globalThis, 'DecompressionStream')
  return getResolvedPDFJS()
}

function limited(onTooLarge: () => void): typeof Uint8Array {
  const Limited: typeof Uint8Array = new Proxy(Original, {
    construct(type, values, caller): object {
      const [size] = values
      if (typeof size === 'number' && size > LARGEST) {
        onTooLarge()
        throw new RangeError('This buffer would be too large.')
      }
      return Reflect.construct(type, values, caller === Limited ? type : caller)
    },
  })
  return Limited
}
