/** Where a bucket and its objects are. */

import { SagasmithError } from '../../model/errors.ts'
import { webAddress } from '../http-request/destination.ts'
import { signedText } from './signature.ts'
import type { S3Parameters } from './spec.ts'

/** The address of a key, or of the bucket for an empty one. Throws `task_input_invalid`. */
export function objectAddress({ endpoint, region, bucket }: S3Parameters, key: string): URL {
  if (key.split('/').some((part) => part === '.' || part === '..')) {
    throw new SagasmithError('task_input_invalid', {
      message: `“${key}” can’t be a key here: parts of it mean another place in an address.`,
      details: { field: 'key' },
    })
  }
  const path = key.split('/').map(signedText).join('/')
  if (endpoint.trim() === '') return webAddress(`https://${bucket}.s3.${region}.amazonaws.com/${path}`)
  const base = webAddress(endpoint.trim().replace(/\/+$/, ''))
  if (base.search !== '' || base.hash !== '') {
    throw new SagasmithError('task_input_invalid', {
      message: 'The service’s address has more than a host and a path.',
      details: { field: 'endpoint' },
    })
  }
  return webAddress(`${base.href.replace(/\/+$/, '')}/${bucket}/${path}`)
}
