import askPage from './ask.js'
import browsePages from './browse.js'
import duplicatePages from './duplicates.js'
import picturePage from './picture.js'
import removedPages from './removed.js'
import searchPage from './search.js'
import suggestRoute from './suggest.js'
import suggestEverythingRoute from './suggest-everything.js'
import thingPages from './thing.js'
import thingNamePages from './thing-names.js'

/** Requires sign-in. */
export const THINGS_PAGES = [
  searchPage,
  askPage,
  browsePages,
  thingPages,
  thingNamePages,
  removedPages,
  picturePage,
  suggestRoute,
  suggestEverythingRoute,
  duplicatePages,
]
