/** What a batch is read with, and what it gives. */

import type { JsonValue } from '../../model/json.ts'
import type { TextRequest } from '../data/text-request.ts'
import type { RowPosition } from './position.ts'

/** Where a batch begins. */
export type RowPlace = Omit<RowPosition, 'bytes' | 'changedMs'>

/** What is asked of a file. */
export interface BatchWanted {
  readonly from: RowPlace
  readonly rows: number
  readonly bytesMax: number
  readonly signal: AbortSignal
  /** Reads a piece of the file that may take its time. */
  readonly read: (request: TextRequest) => Promise<JsonValue>
}

/** Rows, and where the next ones begin; null when there are none. */
export interface Batch {
  readonly rows: readonly JsonValue[]
  readonly next: RowPlace | null
}
