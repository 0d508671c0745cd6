import peoplePages from './people.js'
import personRemovalPages from './person-removal.js'

/** For people who have signed in. */
export const PEOPLE_PAGES = [peoplePages, personRemovalPages]
