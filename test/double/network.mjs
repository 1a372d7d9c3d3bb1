// What a window may load: app-scheme requests are answered by the app's own protocol handlers,
// navigations are put to the app's guards, everything else goes its way.
import { standIn } from './stand-in.mjs'

const SUFFIX = '.double.test'

/** An app URL as Chromium sees it: it refuses schemes it does not know, so https stands in. */
export function toBrowserUrl(url) {
  const parsed = new URL(url)
  const scheme = parsed.protocol.slice(0, -1)
  if (!standIn.schemes.has(scheme) && !standIn.protocolHandlers.has(scheme)) return url
  return `https://${parsed.host}.${scheme}${SUFFIX}${parsed.pathname}${parsed.search}${parsed.hash}`
}

/** The app's own spelling of a URL that Chromium reports. */
export function fromBrowserUrl(url) {
  const match = /^https:\/\/([^/]+)\.([a-z][a-z0-9+-]*)\.double\.test(?=[/?#]|$)/.exec(url)
  return match === null ? url : `${match[2]}://${match[1]}${url.slice(match[0].length)}`
}

async function answerFromApp(handler, request, url) {
  const hasBody = request.postData !== undefined && request.method !== 'GET'
  const response = await handler(
    new Request(url, {
      method: request.method,
      headers: request.headers,
      ...(hasBody ? { body: request.postData } : {}),
    }),
  )
  const body = Buffer.from(await response.arrayBuffer()).toString('base64')
  const responseHeaders = [...response.headers].map(([name, value]) => ({ name, value }))
  return { responseCode: response.status, responseHeaders, body }
}

/** Asks the app's listeners whether a page may go where it wants to go. */
function isNavigationAllowed(contents, { request, frameId, redirectedRequestId }) {
  const url = fromBrowserUrl(request.url)
  const isMainFrame = frameId === contents.targetId
  if (isMainFrame && contents.takeExpectedNavigation(request.url)) return true
  let isPrevented = false
  const event = {
    url,
    isMainFrame,
    isSameDocument: false,
    frame: isMainFrame ? contents.mainFrame : null,
    initiator: contents.mainFrame,
    get defaultPrevented() {
      return isPrevented
    },
    preventDefault: () => {
      isPrevented = true
    },
  }
  if (redirectedRequestId !== undefined) contents.emit('will-redirect', event, url, false, isMainFrame)
  else {
    contents.emit('will-frame-navigate', event)
    if (isMainFrame && !isPrevented) contents.emit('will-navigate', event, url, false, true)
  }
  return !isPrevented
}

/** Answers one paused request of a window. */
export async function handleRequest(contents, paused, send) {
  const { requestId, request, resourceType } = paused
  if (resourceType === 'Document' && !isNavigationAllowed(contents, paused)) {
    await send('Fetch.failRequest', { requestId, errorReason: 'Aborted' })
    return
  }
  const url = fromBrowserUrl(request.url)
  const handler = standIn.protocolHandlers.get(new URL(url).protocol.slice(0, -1))
  if (handler === undefined) {
    await send('Fetch.continueRequest', { requestId })
    return
  }
  try {
    await send('Fetch.fulfillRequest', { requestId, ...(await answerFromApp(handler, request, url)) })
  } catch (error) {
    process.stderr.write(`electron double: protocol handler for ${url}: ${error?.stack ?? error}\n`)
    await send('Fetch.failRequest', { requestId, errorReason: 'Failed' })
  }
}

/** Electron's `protocol` module, also a session's `protocol`. */
export const protocol = {
  registerSchemesAsPrivileged: (schemes) => {
    if (standIn.cdp !== null)
      throw new Error('protocol.registerSchemesAsPrivileged should be called before app is ready')
    for (const { scheme, privileges } of schemes) standIn.schemes.set(scheme, privileges ?? {})
  },
  handle: (scheme, handler) => {
    if (standIn.protocolHandlers.has(scheme)) throw new Error(`Failed to register protocol: ${scheme}`)
    standIn.protocolHandlers.set(scheme, handler)
  },
  unhandle: (scheme) => standIn.protocolHandlers.delete(scheme),
  isProtocolHandled: (scheme) => standIn.protocolHandlers.has(scheme),
}
