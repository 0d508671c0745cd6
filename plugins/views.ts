import { join } from 'node:path'
import assets from '@fastify/static'
import view from '@fastify/view'
import { Eta } from 'eta'
import type { FastifyInstance, FastifyReply } from 'fastify'
import fp from 'fastify-plugin'
import type { Account } from '../domain/accounts/account.js'
import { doctorTexts } from '../domain/doctor/texts.js'
import { UPLOADS_SCOPE } from '../domain/safes/uploads/uploads.js'
import { assetUrl } from '../platform/common/asset.js'
import { rootDir } from '../platform/common/package.js'
import { accountTexts } from '../views/texts/account.js'
import { activityTexts } from '../views/texts/activity.js'
import { askTexts } from '../views/texts/ask.js'
import { backupsTexts } from '../views/texts/backups.js'
import { connectionsTexts } from '../views/texts/connections.js'
import { consentTexts } from '../views/texts/consent.js'
import { documentsTexts } from '../views/texts/documents.js'
import { errorTexts } from '../views/texts/error.js'
import { homeTexts } from '../views/texts/home.js'
import { importsTexts } from '../views/texts/imports.js'
import { layoutTexts } from '../views/texts/layout.js'
import { peopleTexts } from '../views/texts/people.js'
import { proposalsTexts } from '../views/texts/proposals.js'
import { safesTexts } from '../views/texts/safes.js'
import { systemTexts } from '../views/texts/system.js'
import { thingsTexts } from '../views/texts/things.js'
import { markTimes } from './time-elements.js'

/** Members that every view model may have. */
export interface Page {
  /** The current item of the navigation. */
  here?: 'home' | 'safes' | 'search' | 'connections' | 'activity' | 'people' | 'system' | 'account'
  /** The text of the search field at the top. */
  searched?: string
  /** The reason why the submitted form was rejected. */
  error?: string | undefined
}

interface ErrorPage {
  status: number
  title: string
  message: string
  /** The request id, for finding an internal error in the log. */
  reference: string | null
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Notices that the signed-in account has not seen, as the navigation shows them. */
    notices: number
  }
  interface FastifyReply {
    /** Sends a page of `views/`, with its view model. */
    page<Content extends object>(name: string, content: Content): FastifyReply
    render(name: string, content: object): FastifyReply
  }
}

/** The texts of pages by room, as templates name them: `it.m.things.thing.type`. */
export const TEXTS = {
  account: accountTexts,
  activity: activityTexts,
  ask: askTexts,
  backups: backupsTexts,
  connections: connectionsTexts,
  consent: consentTexts,
  doctor: doctorTexts,
  documents: documentsTexts,
  error: errorTexts,
  home: homeTexts,
  imports: importsTexts,
  layout: layoutTexts,
  people: peopleTexts,
  proposals: proposalsTexts,
  safes: safesTexts,
  system: systemTexts,
  things: thingsTexts,
}

/**
 * Renders the Eta templates of `views/` and serves the assets of `public/`. Eta escapes everything printed
 * with `<%= %>`.
 */
export default fp(
  async function viewsPlugin(app: FastifyInstance) {
    const root = join(rootDir, 'views')
    const engine = new Eta({ views: root })
    await app.register(view, { engine: { eta: engine }, root, production: true, propertyName: 'render' })
    await app.register(assets, {
      root: join(rootDir, 'public'),
      prefix: '/assets/',
      decorateReply: false,
      immutable: true,
      maxAge: '365d',
      setHeaders: response => response.setHeader('X-Content-Type-Options', 'nosniff'),
    })
    const shared = {
      m: TEXTS,
      timed: markTimes,
      brand: app.config.brand,
      keepsActivity: app.config.activityDays > 0,
      styleUrl: assetUrl('style.css'),
      scriptUrl: assetUrl('page.js'),
      filesScriptUrl: assetUrl('files.js'),
      archiveScriptUrl: assetUrl('archive.js'),
      uploadsScriptUrl: assetUrl('uploads.js'),
      suggestScriptUrl: assetUrl('suggest.js'),
      pictureScriptUrl: assetUrl('picture.js'),
      passkeysScriptUrl: assetUrl('passkeys.js'),
      iconUrl: assetUrl('icon.svg'),
    }
    app.decorateRequest('notices', 0)
    app.decorateReply('page', function (this: FastifyReply, name: string, content: object) {
      this.headers(app.pageHeaders)
      const { account, notices } = this.request
      const csrfField = (path: string) => `<input type="hidden" name="_csrf" value="${this.csrfToken(path)}">`
      const uploadsToken = () => this.csrfToken(UPLOADS_SCOPE)
      const cookies = app.parseCookie(this.request.headers.cookie ?? '')
      const theme = cookies.theme === 'light' || cookies.theme === 'dark' ? cookies.theme : null
      const dates = cookies.dates === 'browser' ? 'browser' : null
      const around = {
        theme,
        dates,
        account,
        notices,
        navigation: navigationFor(account),
        outcome: this.takeOutcome(),
      }
      return this.render(name, { ...shared, ...around, csrfField, uploadsToken, ...content })
    })
  },
  { name: 'views', dependencies: ['config'] },
)

interface NavigationItem {
  name: NonNullable<Page['here']>
  href: string
}

/** The content of the line at the top of every page, and of its menu. */
function navigationFor(account: Account | null): { first: NavigationItem[]; menu: NavigationItem[] } {
  const item = (name: NavigationItem['name']) => ({ name, href: `/${name}` })
  const forAdmins = account?.role === 'admin' ? (['people', 'system'] as const) : []
  return {
    first: [item('safes'), item('activity')],
    menu: (['connections', 'account', ...forAdmins] as const).map(item),
  }
}

/** The view model of the error page. */
export function errorPage(status: number, message: string, requestId: string): ErrorPage {
  const title = errorTexts.titles[status] ?? errorTexts.other
  return { status, title, message, reference: status >= 500 ? requestId : null }
}
