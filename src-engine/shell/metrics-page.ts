/** `/metrics` of the browser shell: who may read it, and what it says. */

import { createHash, timingSafeEqual } from 'node:crypto'
import { metricsContentType } from '../runtime/metrics/registry.ts'

export interface MetricsAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/**
 * Answers a request with that `Authorization` header. The session's token may read the metrics, and so may the
 * one of the setting `metrics_token`, which scrapers can keep.
 */
export async function metricsAnswer(
  metrics: { readonly text: () => Promise<string>; readonly token: string },
  sessionToken: string,
  authorization: string | undefined,
): Promise<MetricsAnswer> {
  const given = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
  const accepted = [sessionToken, metrics.token].filter((token) => token !== '')
  if (given === undefined || !accepted.some((token) => isSame(token, given))) {
    return {
      status: 401,
      headers: { 'www-authenticate': 'Bearer realm="sagasmith metrics"' },
      body: 'Metrics need a bearer token: set metrics_token, and give it to the scraper.\n',
    }
  }
  try {
    return { status: 200, headers: { 'content-type': metricsContentType }, body: await metrics.text() }
  } catch {
    // The store is closing or busy: the scraper comes again.
    return { status: 503, headers: {}, body: 'The metrics can’t be read now.\n' }
  }
}

/** Takes the same time wherever the two differ. */
function isSame(token: string, given: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(token), digest(given))
}
