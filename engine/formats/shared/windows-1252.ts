/**
 * Node 20 reads Windows-1252 as Latin-1 unless the text comes as a stream (nodejs/node#56542): “€”, “–” and quotation marks
 * became control characters. Readers and the libraries that they use decode with the global class.
 */
const EURO = Uint8Array.of(0x80)

class StreamingDecoder extends TextDecoder {
  override decode(
    input?: ArrayBuffer | NodeJS.ArrayBufferView | null,
    options?: { stream?: boolean },
  ): string {
    if (this.encoding !== 'windows-1252' || options?.stream) return super.decode(input, options)
    return super.decode(input, { stream: true }) + super.decode()
  }
}

if (new TextDecoder('windows-1252').decode(EURO) !== '€') globalThis.TextDecoder = StreamingDecoder
