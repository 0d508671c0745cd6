import peoplePages from './people.js'
import personRemovalPages from './person-removal.js'

/** Requires sign-in. */
export const PEOPLE_PAGES = [peoplePages, personRemovalPages]
