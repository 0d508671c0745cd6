import { errorsOf } from '../common/domain-error.js'

/** Requests over a limit get 429, with the seconds after which to try again. */
export const limitErrors = errorsOf({
  resets: (seconds: number) =>
    `429+${seconds} too_many_attempts: Too many requests from your address. Please try again in ${Math.ceil(seconds / 60)} min.`,
  rotations: (seconds: number) =>
    `429+${seconds} too_many_requests: This connection refreshes its tokens too often. Use the access token until it expires.`,
  requests: (perSecond: number, seconds: number) =>
    `429+${seconds} too_many_requests: This connection makes more than ${perSecond} requests a second, too many at once, or its account uses too much processor time. Wait ${seconds === 1 ? 'a second' : `${seconds} seconds`}, then send the same request again.`,
})
