import { showNumber } from '../../platform/common/format.js'

/** The texts of the error page. */
export const errorTexts = {
  titles: {
    400: 'The request could not be completed',
    403: 'Not allowed',
    404: 'Page not found',
    410: 'This link is no longer valid',
    413: 'File too large',
    429: 'Please wait a moment',
    500: 'Something went wrong',
    503: 'Temporarily unavailable',
  } as Record<number, string>,
  other: 'The request could not be completed',
  sentences: {
    unavailable: 'The service is busy or temporarily unavailable. Please try again.',
    diskFull: 'The disk is full. Data can still be read, but nothing can be written.',
    internal: 'Something went wrong on our side.',
    invalidRequest: 'This request is not valid.',
    notFound: 'There is nothing at this address.',
    wrongMcpAddress: (url: string) => `There is no MCP endpoint at this address. Use ${url} instead.`,
    incomplete: 'This link or form is incomplete. Please go back and try again.',
    wrongHost: (expected: string) =>
      `This service answers at ${expected}, but the request was for another host. Set BASE_URL to the address that people use. Behind a proxy, make it pass the Host header (in nginx: proxy_set_header Host $host).`,
    staleForm: 'This form is out of date. Please go back, reload the page and try again.',
    tooLong: (limit: number) =>
      `That text is too long. At most ${showNumber(limit)} characters are allowed. Please go back and shorten it.`,
  },
  home: 'Back to the home page',
  reference: 'When you ask for help, include this reference:',
}
