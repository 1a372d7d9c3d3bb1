/** Steps that work on files as wholes: list, hash, copy, move, delete, pack, unpack, and take that back. */

import { z } from 'zod'
import { keepField, undoneByFiles } from '../../model/file-fields.ts'
import { lazily } from '../../model/lazily.ts'
import { shortened, textParameter } from '../../model/summary.ts'
import type { TaskSpec } from '../../model/task-spec.ts'
import { singleOutput } from '../../model/task-spec.ts'

const path = (title: string, placeholder: string) =>
  z.string().min(1).meta({
    title,
    description: 'Relative paths start at the folder of the workflow.',
    widget: 'path',
    placeholder,
  })

const timeoutMs = lazily(() =>
  z.int().min(1).max(3_600_000).default(300_000).meta({
    title: 'Timeout',
    widget: 'duration',
    group: 'Limits',
  }),
)

const listParameters = lazily(() =>
  z.strictObject({
    folder: z.string().min(1).meta({
      title: 'Folder',
      description: 'Relative paths start at the folder of the workflow.',
      widget: 'folder',
      placeholder: 'inbox',
    }),
    pattern: z.string().min(1).default('*').meta({
      title: 'Names',
      description: '* stands for any characters of a name, ** for any folders: **/*.csv.',
      placeholder: '**/*.csv',
    }),
    kinds: z
      .enum(['files', 'folders', 'both'])
      .default('files')
      .meta({
        title: 'List',
        choices: { files: { title: 'Files' }, folders: { title: 'Folders' }, both: { title: 'Both' } },
      }),
    sort: z
      .enum(['name', 'newest', 'oldest', 'largest'])
      .default('name')
      .meta({
        title: 'Order',
        choices: {
          name: { title: 'By path' },
          newest: { title: 'Newest first' },
          oldest: { title: 'Oldest first' },
          largest: { title: 'Largest first' },
        },
      }),
    hidden: z.boolean().default(false).meta({ title: 'Names that begin with a dot, too' }),
    maxEntries: z.int().min(1).max(10_000).default(1_000).meta({
      title: 'Most entries',
      description: 'More of them fail the step.',
      group: 'Limits',
    }),
  }),
)

const hashParameters = lazily(() =>
  z.strictObject({
    path: path('File', 'release.zip'),
    algorithm: z
      .enum(['sha256', 'sha512', 'sha1', 'md5'])
      .default('sha256')
      .meta({
        title: 'Algorithm',
        choices: {
          sha256: { title: 'SHA-256' },
          sha512: { title: 'SHA-512' },
          sha1: { title: 'SHA-1', hint: 'Finds accidents only: two files with one hash can be made.' },
          md5: { title: 'MD5', hint: 'Finds accidents only: two files with one hash can be made.' },
        },
      }),
    expected: z.string().default('').meta({
      title: 'Expected hash',
      description: 'Another one fails the step. Empty: any.',
    }),
    timeoutMs: timeoutMs(),
  }),
)

const copyParameters = lazily(() =>
  z.strictObject({
    mode: z
      .enum(['copy', 'move'])
      .default('copy')
      .meta({ title: 'Do', choices: { copy: { title: 'Copy' }, move: { title: 'Move or rename' } } }),
    from: path('From', 'inbox/orders.csv'),
    to: path('To', 'archive/orders.csv'),
    existing: z
      .enum(['fail', 'replace', 'skip'])
      .default('fail')
      .meta({
        title: 'If something is there already',
        choices: {
          fail: { title: 'The step fails' },
          replace: { title: 'Replace it' },
          skip: { title: 'Leave it', hint: 'And go on as if all were well.' },
        },
      }),
    keep: keepField(),
    timeoutMs: timeoutMs(),
  }),
)

const deleteParameters = lazily(() =>
  z.strictObject({
    path: path('File or folder', 'inbox/orders.csv'),
    folders: z.boolean().default(false).meta({
      title: 'Folders, too',
      description: 'With everything in them.',
    }),
    missing: z
      .enum(['fail', 'skip'])
      .default('skip')
      .meta({
        title: 'If nothing is there',
        choices: { fail: { title: 'The step fails' }, skip: { title: 'Go on' } },
      }),
    keep: keepField(),
  }),
)

const zipParameters = lazily(() =>
  z.strictObject({
    from: path('File or folder', 'reports'),
    to: path('Archive', 'reports.zip'),
    pattern: z.string().min(1).default('**').meta({
      title: 'Names',
      description: 'Which files of the folder go in: **/*.pdf.',
    }),
    existing: z
      .enum(['fail', 'replace'])
      .default('fail')
      .meta({
        title: 'If the archive exists',
        choices: { fail: { title: 'The step fails' }, replace: { title: 'Replace it' } },
      }),
    keep: keepField(),
    maxFiles: z.int().min(1).max(10_000).default(1_000).meta({ title: 'Most files', group: 'Limits' }),
    maxBytes: z.int().min(1).max(2_000_000_000).default(100_000_000).meta({
      title: 'Largest size',
      description: 'In bytes, all files together before they are packed.',
      group: 'Limits',
    }),
    timeoutMs: timeoutMs(),
  }),
)

const unzipParameters = lazily(() =>
  z.strictObject({
    from: path('Archive', 'orders.zip'),
    to: z.string().min(1).meta({
      title: 'Folder',
      description: 'A new one: where something is already, nothing is unpacked.',
      widget: 'folder',
      placeholder: 'orders',
    }),
    maxFiles: z.int().min(1).max(10_000).default(1_000).meta({ title: 'Most files', group: 'Limits' }),
    maxBytes: z.int().min(1).max(2_000_000_000).default(100_000_000).meta({
      title: 'Largest size',
      description: 'In bytes, all files together. One that is packed more than a hundredfold is refused.',
      group: 'Limits',
    }),
    timeoutMs: timeoutMs(),
  }),
)

const undoParameters = lazily(() =>
  z.strictObject({
    changes: z.unknown().meta({
      title: 'Changes',
      description: 'What a step with files says under “undo”.',
      placeholder: '{{ original.output.undo }}',
    }),
  }),
)

/** The resolved parameters of a list of files. */
export type ListFilesParameters = z.infer<ReturnType<typeof listParameters>>
/** The resolved parameters of a file's hash. */
export type HashFileParameters = z.infer<ReturnType<typeof hashParameters>>
/** The resolved parameters of a copy or move. */
export type CopyFileParameters = z.infer<ReturnType<typeof copyParameters>>
/** The resolved parameters of what is deleted. */
export type DeleteFileParameters = z.infer<ReturnType<typeof deleteParameters>>
/** The resolved parameters of an archive to make. */
export type ZipFilesParameters = z.infer<ReturnType<typeof zipParameters>>
/** The resolved parameters of an archive to open. */
export type UnzipFileParameters = z.infer<ReturnType<typeof unzipParameters>>
/** The resolved parameters of what takes changes back. */
export type UndoFilesParameters = z.infer<ReturnType<typeof undoParameters>>

const common = {
  category: 'files',
  hasInput: true,
  outputs: () => singleOutput,
  execution: 'runner',
} as const

export const listFilesSpec = {
  ...common,
  kind: 'list-files',
  title: 'List files',
  description: 'Hands on path, size and time of the files in a folder.',
  icon: 'folder-search',
  keywords: ['list', 'files', 'folder', 'directory', 'glob', 'find', 'ls', 'dir'],
  get parameters() {
    return listParameters()
  },
  defaults: { folder: '' },
  reach: [{ what: 'paths', field: 'folder' }],
  sideEffect: 'pure',
  summary: (raw) =>
    shortened(`${textParameter(raw, 'folder', 'a folder')}/${textParameter(raw, 'pattern', '*')}`),
} satisfies TaskSpec<ListFilesParameters>

export const hashFileSpec = {
  ...common,
  kind: 'hash-file',
  title: 'Hash file',
  description: 'Computes the hash of a file, and compares it with the one that it should have.',
  icon: 'hash',
  keywords: ['hash', 'checksum', 'digest', 'sha256', 'md5', 'verify', 'file', 'integrity'],
  get parameters() {
    return hashParameters()
  },
  defaults: { path: '' },
  reach: [{ what: 'paths', field: 'path' }],
  sideEffect: 'pure',
  summary: (raw) => shortened(textParameter(raw, 'path', 'a file')),
} satisfies TaskSpec<HashFileParameters>

export const copyFileSpec = {
  ...common,
  kind: 'copy-file',
  title: 'Copy or move file',
  description: 'Copies or moves a file or a folder in one piece, and can be undone.',
  icon: 'copy',
  keywords: ['copy', 'move', 'rename', 'file', 'folder', 'archive', 'cp', 'mv', 'backup'],
  get parameters() {
    return copyParameters()
  },
  defaults: { mode: 'copy', from: '', to: '' },
  reach: [
    { what: 'paths', field: 'from' },
    { what: 'paths', field: 'to' },
  ],
  sideEffect: 'idempotent',
  undoneBy: undoneByFiles,
  summary: (raw) =>
    shortened(`${textParameter(raw, 'from', 'a file')} → ${textParameter(raw, 'to', 'a place')}`),
} satisfies TaskSpec<CopyFileParameters>

export const deleteFileSpec = {
  ...common,
  kind: 'delete-file',
  title: 'Delete file',
  description: 'Deletes a file or a folder, and can be undone.',
  icon: 'trash-2',
  keywords: ['delete', 'remove', 'trash', 'file', 'folder', 'clean', 'rm'],
  get parameters() {
    return deleteParameters()
  },
  defaults: { path: '' },
  reach: [{ what: 'paths', field: 'path' }],
  sideEffect: 'idempotent',
  undoneBy: undoneByFiles,
  summary: (raw) => shortened(textParameter(raw, 'path', 'a file')),
} satisfies TaskSpec<DeleteFileParameters>

export const zipFilesSpec = {
  ...common,
  kind: 'zip-files',
  title: 'Zip files',
  description: 'Packs a file or a folder into a zip archive.',
  icon: 'file-archive',
  keywords: ['zip', 'archive', 'pack', 'compress', 'files', 'folder', 'bundle'],
  get parameters() {
    return zipParameters()
  },
  defaults: { from: '', to: '' },
  reach: [
    { what: 'paths', field: 'from' },
    { what: 'paths', field: 'to' },
  ],
  sideEffect: 'idempotent',
  undoneBy: undoneByFiles,
  summary: (raw) =>
    shortened(`${textParameter(raw, 'from', 'files')} → ${textParameter(raw, 'to', 'an archive')}`),
} satisfies TaskSpec<ZipFilesParameters>

export const unzipFileSpec = {
  ...common,
  kind: 'unzip-file',
  title: 'Unzip file',
  description: 'Unpacks a zip archive into a new folder, all of it or nothing.',
  icon: 'archive-restore',
  keywords: ['unzip', 'extract', 'archive', 'unpack', 'zip', 'decompress', 'files'],
  get parameters() {
    return unzipParameters()
  },
  defaults: { from: '', to: '' },
  reach: [
    { what: 'paths', field: 'from' },
    { what: 'paths', field: 'to' },
  ],
  sideEffect: 'idempotent',
  undoneBy: undoneByFiles,
  summary: (raw) =>
    shortened(`${textParameter(raw, 'from', 'an archive')} → ${textParameter(raw, 'to', 'a folder')}`),
} satisfies TaskSpec<UnzipFileParameters>

export const undoFilesSpec = {
  ...common,
  kind: 'undo-files',
  title: 'Undo file changes',
  description: 'Takes back what steps with files did: what came is removed, what was kept returns.',
  icon: 'undo-2',
  keywords: ['undo', 'restore', 'files', 'compensation', 'trash', 'bring back', 'rollback'],
  get parameters() {
    return undoParameters()
  },
  defaults: { changes: '{{ original.output.undo }}' },
  reach: [{ what: 'paths', field: 'changes' }],
  sideEffect: 'idempotent',
  summary: () => 'what was changed',
} satisfies TaskSpec<UndoFilesParameters>
