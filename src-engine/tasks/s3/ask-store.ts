/** One signed request to the object store, and what it says when it refuses. */

import { SagasmithError } from '../../model/errors.ts'
import type { GuardedRequest, GuardedResponse } from '../guarded-request.ts'
import { refusedAnswer, withResponse } from '../guarded-request.ts'
import type { TaskContext } from '../task.ts'
import type { TaskPorts } from '../task-ports.ts'
import type { Signer } from './signature.ts'
import { sha256, signedHeaders, signedText } from './signature.ts'
import type { S3Parameters } from './spec.ts'

/** What a request to the store is made with. */
export interface StoreCall {
  readonly parameters: S3Parameters
  readonly context: TaskContext
  readonly lookup: TaskPorts['lookup']
  readonly signal: AbortSignal
}

/** Who signs, and when. */
export const signerOf = ({ parameters, context }: StoreCall): Signer => ({
  ...parameters,
  at: context.clock.now(),
})

/** Asks the store. Throws what is no success. */
export function askStore<T>(
  call: StoreCall,
  request: Omit<GuardedRequest, 'headers'> & { readonly headers?: Readonly<Record<string, string>> },
  read: (response: GuardedResponse) => Promise<T>,
): Promise<T> {
  const { method, body, headers = {} } = request
  const url = signableAddress(request.url)
  const signed = signedHeaders({ method, url, headers, bodyHash: sha256(body ?? '') }, signerOf(call))
  return withResponse({ method, url, body, headers: signed }, call, async (response) => {
    if (response.status >= 200 && response.status < 300) return read(response)
    throw await storeError(response, call)
  })
}

/** The query as it is signed: a space is %20 there, never a plus. */
function signableAddress(given: URL): URL {
  const url = new URL(given)
  url.search = [...url.searchParams]
    .map(([name, value]) => `${signedText(name)}=${signedText(value)}`)
    .join('&')
  return url
}

async function storeError(
  response: GuardedResponse,
  { parameters, context }: StoreCall,
): Promise<SagasmithError> {
  const { bucket, key } = parameters
  if (response.status === 404) {
    return new SagasmithError('object_not_found', {
      message: `There is no “${bucket}/${key}”.`,
      details: { bucket, key },
    })
  }
  if (response.status === 412) {
    return new SagasmithError('file_exists', {
      message: `“${bucket}/${key}” is there already.`,
      details: { bucket, key },
    })
  }
  return refusedAnswer(response, 'The object store', context)
}

/** What the store says of an object in its headers. */
export const toldOf = ({ headers }: GuardedResponse) => ({
  contentType: headers['content-type'] ?? '',
  etag: (headers['etag'] ?? '').replaceAll('"', ''),
})

/** More than the step may move. */
export function tooLarge(bytesMax: number): SagasmithError {
  return new SagasmithError('task_output_too_large', {
    message: `The object has more than ${bytesMax} bytes.`,
    hint: 'Raise the limit in the node’s settings; without a file, use one.',
    details: { bytesMax },
  })
}
