/** ELK in a worker of its own: unmodified, as a file beside the page's, so that the content policy lets it in. */

import Elk, { type ElkNode } from 'elkjs/lib/elk-api.js'
import workerUrl from 'elkjs/lib/elk-worker.min.js?url'

/** Computes one layout. */
export interface LayoutEngine {
  readonly layout: (graph: ElkNode) => Promise<ElkNode>
  /** Gives up at once, whatever it is doing. */
  readonly stop: () => void
}

/** Starts a worker for one layout. */
export function openElk(): LayoutEngine {
  const worker = new Worker(workerUrl)
  const broken = Promise.withResolvers<never>()
  worker.addEventListener('error', (event) => broken.reject(new Error(event.message)))
  const elk = new Elk({ workerFactory: () => worker, algorithms: ['layered'] })
  return {
    layout: (graph) => Promise.race([elk.layout(graph), broken.promise]),
    stop: () => elk.terminateWorker(),
  }
}
