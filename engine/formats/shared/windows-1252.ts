/**
 * Node 20 decodes Windows-1252 as Latin-1 unless it is streamed (nodejs/node#56542): “€”, “–” and quotation marks
 * become control characters. Our readers and their libraries use the global class, so it is replaced.
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
