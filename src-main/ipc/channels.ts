/** The allow-list as data: for every request of a page, the schema its arguments must satisfy. */

import { z } from 'zod'
import { nodeId as asNodeId, runId as asRunId } from '../../src-engine/model/ids.ts'
import { documentBytesMax, handedOverBytesMax } from '../../src-engine/model/limits.ts'
import { linkLengthMax, linkPages } from '../../src-engine/protocol/deep-link.ts'
import { newsMax } from '../../src-engine/protocol/notices.ts'
import type { RequestName } from './channel-names.ts'

const path = z.string().min(1).max(4096)
const etag = z.string().regex(/^[0-9a-f]{64}$/)
/** A page's own name for its request for a port. */
const requestId = z.string().min(1).max(64)
const shortText = z.string().max(200)

/** Only https leaves the app: other schemes start programs. */
const httpsUrl = z
  .string()
  .max(2048)
  .refine((text) => URL.canParse(text) && new URL(text).protocol === 'https:', {
    message: 'must be an https address',
  })

const saveRequest = z.strictObject({
  path,
  text: z.string().max(documentBytesMax),
  etag: etag.nullable(),
})

/** What an export or a run's file may be. */
const handedOver = z.strictObject({
  name: z.string().min(1).max(200),
  content: z.union([
    z.string().max(handedOverBytesMax),
    z.instanceof(Uint8Array).refine(({ byteLength }) => byteLength <= handedOverBytesMax, 'is too large'),
  ]),
})

/** The longest text that a window may leave for its next start. */
const windowSessionMax = 1_000_000
/** More documents than anybody has open in one window. */
const tabsMax = 1_000

const runLink = z.strictObject({
  kind: z.literal('run'),
  runId: shortText.transform(asRunId),
  nodeId: shortText.transform(asNodeId).nullable(),
})
const pageLink = z.strictObject({ kind: z.literal('page'), page: z.enum(linkPages) })

const notice = z.strictObject({
  news: z.array(shortText).min(1).max(newsMax),
  title: shortText,
  body: z.string().max(1000),
  leadsTo: z.discriminatedUnion('kind', [runLink, pageLink]),
})

const settingsChange = z.strictObject({
  theme: z.enum(['system', 'light', 'dark']).exactOptional(),
  runNotices: z.enum(['none', 'failed', 'ended']).exactOptional(),
  reopensLastFile: z.boolean().exactOptional(),
  keepsRunning: z.boolean().exactOptional(),
})

/** More commands than the designer has; those that no menu has are ignored. */
const commandsMax = 1_000

const menuState = z.strictObject({ id: z.string().max(64), isEnabled: z.boolean() })

/** The arguments of each request, by name. */
export const requestSchemas = {
  openEnginePort: z.tuple([requestId]),
  engineState: z.tuple([]),
  restartEngine: z.tuple([]),
  openWorkflowDialog: z.tuple([]),
  saveWorkflowDialog: z.tuple([shortText]),
  choosePathDialog: z.tuple([z.strictObject({ kind: z.enum(['file', 'folder']), from: path.nullable() })]),
  handOverFile: z.tuple([handedOver]),
  readWorkflowFile: z.tuple([path]),
  lookAtWorkflowFile: z.tuple([path, etag]),
  saveWorkflowFile: z.tuple([saveRequest]),
  recentFiles: z.tuple([]),
  forgetRecentFile: z.tuple([path]),
  revealInFolder: z.tuple([path]),
  takeOpenRequest: z.tuple([]),
  getSettings: z.tuple([]),
  setSettings: z.tuple([settingsChange]),
  notify: z.tuple([notice]),
  setBadge: z.tuple([z.int().min(0).max(9_999)]),
  newWindow: z.tuple([z.string().max(linkLengthMax).nullable()]),
  windowSession: z.tuple([]),
  setWindowSession: z.tuple([z.string().max(windowSessionMax)]),
  claimDocuments: z.tuple([z.array(path).max(tabsMax)]),
  openExternal: z.tuple([httpsUrl]),
  setWindowTitle: z.tuple([shortText]),
  setMenuState: z.tuple([z.array(menuState).max(commandsMax)]),
  editText: z.tuple([z.enum(['undo', 'redo', 'cut', 'copy', 'paste', 'delete', 'selectAll'])]),
  versions: z.tuple([]),
} as const satisfies Record<RequestName, z.ZodTuple>

export type RequestArguments<N extends RequestName> = z.output<(typeof requestSchemas)[N]>
