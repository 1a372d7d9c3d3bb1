/** Tells what would come of it, and asks no store. */

import type { TaskMock } from '../mock.ts'
import { sayLeftOut } from '../mock.ts'
import { completed } from '../task.ts'
import type { S3Parameters } from './spec.ts'

export const s3Mock: TaskMock<S3Parameters> = ({ mode, bucket, key }, context) => {
  sayLeftOut(context, `${mode} ${bucket}/${key} was not done.`)
  switch (mode) {
    case 'get':
      return completed({ key, bytes: 0, content: '', contentType: '', etag: '' })
    case 'put':
      return completed({ key, bytes: 0, etag: '' })
    case 'list':
      return completed({ objects: [], count: 0, isCut: false })
    case 'delete':
      return completed({ key, deleted: true })
    default:
      return completed({ key, url: 'https://example.com/', validUntil: '1970-01-01T00:00:00.000Z' })
  }
}
