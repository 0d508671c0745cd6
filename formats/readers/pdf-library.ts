import { getResolvedPDFJS } from 'unpdf'

/** Bytes of one buffer: a stream of a PDF that unpacks to more is not read. */
const largest = 67_108_864

/**
 * PDF.js, in a build without canvas and network. It unpacks whole streams into buffers outside the heap, which
 * the limit of a thread's heap does not cover; two kilobytes can unpack to gigabytes.
 */
export async function loadPdfjs(): ReturnType<typeof getResolvedPDFJS> {
  globalThis.Uint8Array = limited
  // PDF.js would collect all that this gives; without it, it unpacks into its own buffers.
  Reflect.deleteProperty(globalThis, 'DecompressionStream')
  return getResolvedPDFJS()
}

const limited: typeof Uint8Array = new Proxy(Uint8Array, {
  construct(type, values, caller): object {
    const [size] = values
    if (typeof size === 'number' && size > largest) throw new RangeError('This buffer would be too large.')
    return Reflect.construct(type, values, caller === limited ? type : caller)
  },
})
