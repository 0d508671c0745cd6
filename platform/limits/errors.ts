import { DomainError } from '../common/domain-error.js'

const messages = {
  newAccounts:
    'Many accounts have been made with invitations of this person today. Try again tomorrow, or ask an administrator for an invitation.',
  resets: (seconds: number) =>
    `Too many requests from your address. Please try again in ${Math.ceil(seconds / 60)} min.`,
  rotations: 'This connection refreshes its tokens too often. Use the access token until it expires.',
  requests: (perSecond: number) =>
    `This connection makes more than ${perSecond} requests a second, or too many at once. Please wait.`,
}

/** What goes over a limit gets 429, with the seconds after which to try again. */
export const limitErrors = {
  newAccounts: (seconds: number) => new DomainError(429, 'too_many_accounts', messages.newAccounts, seconds),
  resets: (seconds: number) => new DomainError(429, 'too_many_attempts', messages.resets(seconds), seconds),
  rotations: (seconds: number) => new DomainError(429, 'too_many_requests', messages.rotations, seconds),
  requests: (perSecond: number, seconds: number) =>
    new DomainError(429, 'too_many_requests', messages.requests(perSecond), seconds),
}
