/** What `doctor` checks about the machine and the installation. */

import { existsSync, statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { settingText } from '../../model/settings/setting-report.ts'
import { isProvenGone } from '../../runtime/process-identity.ts'
import type { LoadedSettings } from '../config.ts'
import { unknownText } from '../config.ts'
import type { DataDirectory } from '../data-directory.ts'
import { readLockHolder } from '../data-lock.ts'
import { findResource } from '../resources.ts'
import type { Finding } from './doctor-finding.ts'

const oldestNode = 24
/** Less than this is used up by one afternoon of large payloads. */
const freeBytesWarn = 1_000_000_000
const freeBytesFail = 100_000_000

/** The Node that runs this. */
export function checkNode(): Finding {
  const { node } = process.versions
  const isOld = Number.parseInt(node, 10) < oldestNode
  return {
    check: 'node',
    verdict: isOld ? 'fail' : 'ok',
    message: `Node ${node} on ${process.platform} ${process.arch}`,
    hint: isOld ? `Install Node ${oldestNode}, or start Sagasmith with its own launcher.` : null,
  }
}

/** What is set otherwise than by default, with its source. */
export function checkSettings(settings: LoadedSettings): readonly Finding[] {
  const own = settings.reports.filter(({ source }) => source !== 'default' && source !== 'derived')
  const set = own.map(({ name, value, unit, source }) => `${name} ${settingText(value, unit)} (${source})`)
  const text = set.length === 0 ? 'the defaults' : set.join(', ')
  const unknown = settings.unknown.map((entry): Finding => {
    const hint = `Correct or remove it in ${settings.configFile}.`
    return { check: 'settings', verdict: 'warn', message: unknownText(entry), hint }
  })
  return [{ check: 'settings', verdict: 'ok', message: text, hint: null }, ...unknown]
}

/** The built designer and the samples. */
export function checkResources(): readonly Finding[] {
  const parts = [
    { check: 'designer', name: 'renderer', hint: 'Build it: npm start does that by itself.' },
    { check: 'samples', name: 'samples', hint: 'Get a complete copy of Sagasmith.' },
  ] as const
  return parts.map(({ check, name, hint }): Finding => {
    const path = findResource(name)
    if (path !== null) return { check, verdict: 'ok', message: path, hint: null }
    return { check, verdict: 'warn', message: 'not there', hint }
  })
}

/** Free space where the data lies, or would lie. */
export function checkDisk(directory: DataDirectory): Finding {
  const { bavail, bsize } = statfsSync(existingParent(directory.root))
  const free = bavail * bsize
  const verdict = free < freeBytesFail ? 'fail' : free < freeBytesWarn ? 'warn' : 'ok'
  const message = `${(free / 1_000_000_000).toFixed(1)} GB free for ${directory.root}`
  const hint = verdict === 'ok' ? null : 'Free some space: runs stop when the disk is full.'
  return { check: 'disk', verdict, message, hint }
}

function existingParent(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : existingParent(dirname(path))
}

/** Who uses the data directory. */
export function checkLock(directory: DataDirectory): Finding {
  const holder = readLockHolder(directory.lock)
  if (holder === null)
    return { check: 'engine', verdict: 'ok', message: 'no engine is running here', hint: null }
  const { pid, host } = holder.process
  if (isProvenGone(holder.process)) {
    const message = `the engine of process ${pid} (${holder.role}) died without closing the data`
    const hint = 'Nothing to do: whatever opens the directory next recovers its runs.'
    return { check: 'engine', verdict: 'warn', message, hint }
  }
  const message = `process ${pid} on ${host} (${holder.role}) listens at ${holder.socket}`
  return { check: 'engine', verdict: 'ok', message, hint: null }
}
