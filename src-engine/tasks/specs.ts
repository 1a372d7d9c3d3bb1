/** The catalogue of task kinds, in the order in which the palette shows them. Data only. */

import type { TaskSpec } from '../model/task-spec.ts'
import { approvalSpec } from './approval/spec.ts'
import { askModelSpec } from './ask-model/spec.ts'
import { buildCsvSpec } from './build-csv/spec.ts'
import { circuitBreakerSpec } from './circuit-breaker/spec.ts'
import { codeTaskSpec } from './code-task/spec.ts'
import { buildDataSpec, parseDataSpec, parseHtmlSpec, setValuesSpec, validateSpec } from './data/spec.ts'
import { debugSpec } from './debug/spec.ts'
import { delaySpec } from './delay/spec.ts'
import { dockerRunSpec } from './docker-run/spec.ts'
import { emitEventSpec } from './emit-event/spec.ts'
import {
  copyFileSpec,
  deleteFileSpec,
  hashFileSpec,
  listFilesSpec,
  undoFilesSpec,
  unzipFileSpec,
  zipFilesSpec,
} from './files/spec.ts'
import { forkSpec } from './fork/spec.ts'
import { httpRequestSpec } from './http-request/spec.ts'
import { ifSpec } from './if/spec.ts'
import { javaScriptSpec } from './javascript/spec.ts'
import { joinSpec } from './join/spec.ts'
import { breakLoopSpec, nextTurnSpec } from './leave-loop/spec.ts'
import { logSpec } from './log/spec.ts'
import { loopSpec } from './loop/spec.ts'
import { mapSpec } from './map/spec.ts'
import { noopSpec } from './noop/spec.ts'
import { notifySpec } from './notify/spec.ts'
import { parseCsvSpec } from './parse-csv/spec.ts'
import { readFileSpec } from './read-file/spec.ts'
import { readRowsSpec } from './read-rows/spec.ts'
import { redisCommandSpec } from './redis-command/spec.ts'
import { s3Spec } from './s3/spec.ts'
import { scriptSpec } from './script/spec.ts'
import { semaphoreSpec } from './semaphore/spec.ts'
import { sendMailSpec } from './send-mail/spec.ts'
import { shellCommandSpec } from './shell-command/spec.ts'
import { sqlQuerySpec, sqlStatementSpec } from './sql/spec.ts'
import { sqlExportSpec } from './sql-export/spec.ts'
import { sshCommandSpec } from './ssh-command/spec.ts'
import { steerRunsSpec } from './steer-runs/spec.ts'
import { stopSpec } from './stop/spec.ts'
import { subWorkflowSpec } from './sub-workflow/spec.ts'
import { switchSpec } from './switch/spec.ts'
import { throttleSpec } from './throttle/spec.ts'
import { transformSpec } from './transform/spec.ts'
import { waitSignalSpec } from './wait-signal/spec.ts'
import { waitWebhookSpec } from './wait-webhook/spec.ts'
import { writeFileSpec } from './write-file/spec.ts'

export const taskSpecs = {
  'http-request': httpRequestSpec,
  'ask-model': askModelSpec,
  'send-mail': sendMailSpec,
  notify: notifySpec,
  'shell-command': shellCommandSpec,
  script: scriptSpec,
  'docker-run': dockerRunSpec,
  javascript: javaScriptSpec,
  'code-task': codeTaskSpec,
  transform: transformSpec,
  if: ifSpec,
  switch: switchSpec,
  fork: forkSpec,
  join: joinSpec,
  map: mapSpec,
  loop: loopSpec,
  'break-loop': breakLoopSpec,
  'next-turn': nextTurnSpec,
  delay: delaySpec,
  throttle: throttleSpec,
  semaphore: semaphoreSpec,
  'circuit-breaker': circuitBreakerSpec,
  'wait-signal': waitSignalSpec,
  'wait-webhook': waitWebhookSpec,
  approval: approvalSpec,
  'emit-event': emitEventSpec,
  'sub-workflow': subWorkflowSpec,
  'steer-runs': steerRunsSpec,
  stop: stopSpec,
  'read-file': readFileSpec,
  'read-rows': readRowsSpec,
  'write-file': writeFileSpec,
  'list-files': listFilesSpec,
  'hash-file': hashFileSpec,
  'copy-file': copyFileSpec,
  'delete-file': deleteFileSpec,
  'zip-files': zipFilesSpec,
  'unzip-file': unzipFileSpec,
  'undo-files': undoFilesSpec,
  'parse-csv': parseCsvSpec,
  'build-csv': buildCsvSpec,
  'parse-data': parseDataSpec,
  'build-data': buildDataSpec,
  'parse-html': parseHtmlSpec,
  validate: validateSpec,
  'set-values': setValuesSpec,
  'sql-query': sqlQuerySpec,
  'sql-statement': sqlStatementSpec,
  'sql-export': sqlExportSpec,
  'redis-command': redisCommandSpec,
  s3: s3Spec,
  'ssh-command': sshCommandSpec,
  log: logSpec,
  debug: debugSpec,
  noop: noopSpec,
} satisfies Record<string, TaskSpec>

/** A task kind of the catalogue. */
export type TaskKind = keyof typeof taskSpecs

/** A kind that a runner executes; the others are decided by the run itself. */
export type RunnerTaskKind = {
  [Kind in TaskKind]: (typeof taskSpecs)[Kind]['execution'] extends 'inline' ? never : Kind
}[TaskKind]

/** Every spec by its kind; a kind that isn't here is unknown. */
export const taskSpecsByKind: ReadonlyMap<string, TaskSpec> = new Map<string, TaskSpec>(
  Object.entries(taskSpecs),
)
