/** The app's own settings: one JSON file in the user's data folder, replaced as a whole on every change. */

import { readFileSync, renameSync } from 'node:fs'
import { z } from 'zod'
import type { DesktopSettings, RecentFile } from '../../src-engine/protocol/desktop-api.ts'
import { writeFileAtomically } from '../../src-engine/shell/atomic-file.ts'

const boundsSchema = z.object({
  x: z.int(),
  y: z.int(),
  width: z.int().min(200).max(20_000),
  height: z.int().min(150).max(20_000),
  isMaximized: z.boolean(),
})

/** Where the window was when it was closed. */
export type WindowBounds = z.output<typeof boundsSchema>

/** More windows than a person keeps open; a damaged file must not open hundreds. */
const windowsMax = 20

const windowSchema = z.object({ bounds: boundsSchema, session: z.string() })

/** A window to come back: its place, and what its page left for its next start. */
export type WindowRecord = z.output<typeof windowSchema>

/** Each field falls back alone: one damaged value must not cost the others. */
const fileSchema = z.object({
  theme: z.enum(['system', 'light', 'dark']).catch('system'),
  runNotices: z.enum(['none', 'failed', 'ended']).catch('failed'),
  reopensLastFile: z.boolean().catch(true),
  keepsRunning: z.boolean().catch(false),
  recentFiles: z.array(z.object({ path: z.string(), openedAt: z.number() })).catch([]),
  windows: z.array(windowSchema).max(windowsMax).catch([]),
})

type SettingsFile = z.output<typeof fileSchema>

export interface SettingsStore {
  readonly get: () => DesktopSettings
  readonly set: (change: Partial<DesktopSettings>) => Promise<DesktopSettings>
  readonly recent: () => readonly RecentFile[]
  readonly setRecent: (files: readonly RecentFile[]) => Promise<void>
  /** Called with the recent files whenever they change. */
  readonly onRecent: (listener: (files: readonly RecentFile[]) => void) => void
  /** Those that were open when the app was last closed, oldest first. */
  readonly windows: () => readonly WindowRecord[]
  readonly setWindows: (windows: readonly WindowRecord[]) => Promise<void>
  /** Resolves when everything is on disk. */
  readonly flushed: () => Promise<void>
}

/** A file that can't be read is put aside, not overwritten, and the defaults apply. */
function load(path: string, onBroken: (keptAt: string) => void): SettingsFile {
  let text = ''
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    // There are no settings yet.
    return fileSchema.parse({})
  }
  try {
    return fileSchema.parse(JSON.parse(text))
  } catch {
    const keptAt = `${path}.broken`
    renameSync(path, keptAt)
    onBroken(keptAt)
    return fileSchema.parse({})
  }
}

const publicPart = (file: SettingsFile): DesktopSettings => ({
  theme: file.theme,
  runNotices: file.runNotices,
  reopensLastFile: file.reopensLastFile,
  keepsRunning: file.keepsRunning,
})

export interface SettingsDeps {
  readonly path: string
  /** Called when the file was unreadable and has been put aside. */
  readonly onBroken: (keptAt: string) => void
}

/** Opens the settings; later changes are written in order, one whole file at a time. */
export function openSettings({ path, onBroken }: SettingsDeps): SettingsStore {
  let file = load(path, onBroken)
  let written: Promise<void> = Promise.resolve()
  let tellRecent: (files: readonly RecentFile[]) => void = () => undefined
  const write = (change: Partial<SettingsFile>): Promise<void> => {
    file = { ...file, ...change }
    const text = `${JSON.stringify(file, null, 2)}\n`
    written = written.catch(() => undefined).then(async () => void (await writeFileAtomically(path, text)))
    return written
  }
  return {
    get: () => publicPart(file),
    set: async (change) => {
      await write(change)
      return publicPart(file)
    },
    recent: () => file.recentFiles,
    setRecent: (files) => {
      const done = write({ recentFiles: files.map((entry) => ({ ...entry })) })
      tellRecent(file.recentFiles)
      return done
    },
    onRecent: (listener) => {
      tellRecent = listener
    },
    windows: () => file.windows,
    setWindows: (windows) => write({ windows: windows.slice(-windowsMax).map((entry) => ({ ...entry })) }),
    flushed: () => written.catch(() => undefined),
  }
}
