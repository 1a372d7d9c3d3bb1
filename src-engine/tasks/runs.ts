/** The catalogue of what runner kinds do. The compiler demands an entry for each spec. */

import type { z } from 'zod'
import { approvalRun } from './approval/run.ts'
import { createAskModelRun } from './ask-model/run.ts'
import { buildCsvRun } from './build-csv/run.ts'
import { circuitBreakerRun } from './circuit-breaker/run.ts'
import { createCodeTaskRun } from './code-task/run.ts'
import { buildDataRun } from './data/build.ts'
import { parseDataRun } from './data/parse.ts'
import { parseHtmlRun } from './data/parse-html.ts'
import { setValuesRun } from './data/set-values.ts'
import { validateRun } from './data/validate.ts'
import { debugRun } from './debug/run.ts'
import { delayRun } from './delay/run.ts'
import { createDockerRun } from './docker-run/run.ts'
import { emitEventRun } from './emit-event/run.ts'
import { deleteFileRun } from './files/delete.ts'
import { hashFileRun } from './files/hash.ts'
import { listFilesRun } from './files/list.ts'
import { copyFileRun } from './files/transfer.ts'
import { undoFilesRun } from './files/undo.ts'
import { unzipFileRun } from './files/unzip.ts'
import { zipFilesRun } from './files/zip.ts'
import { createHttpRequestRun } from './http-request/run.ts'
import { ifRun } from './if/run.ts'
import { createJavaScriptRun } from './javascript/run.ts'
import { breakLoopRun, nextTurnRun } from './leave-loop/run.ts'
import { logRun } from './log/run.ts'
import { loopRun } from './loop/run.ts'
import { createMapRun } from './map/run.ts'
import { noopRun } from './noop/run.ts'
import { createNotifyRun } from './notify/run.ts'
import { parseCsvRun } from './parse-csv/run.ts'
import { readFileRun } from './read-file/run.ts'
import { createRedisCommandRun } from './redis-command/run.ts'
import { createS3Run } from './s3/run.ts'
import { createScriptRun } from './script/run.ts'
import { semaphoreRun } from './semaphore/run.ts'
import { createSendMailRun } from './send-mail/run.ts'
import { createShellCommandRun } from './shell-command/run.ts'
import type { RunnerTaskKind, taskSpecs } from './specs.ts'
import { createSqlQueryRun, createSqlStatementRun } from './sql/run.ts'
import { createSqlExportRun } from './sql-export/run.ts'
import { createSshCommandRun } from './ssh-command/run.ts'
import { steerRunsRun } from './steer-runs/run.ts'
import { stopRun } from './stop/run.ts'
import { subWorkflowRun } from './sub-workflow/run.ts'
import { switchRun } from './switch/run.ts'
import type { TaskRun } from './task.ts'
import type { TaskPorts } from './task-ports.ts'
import { throttleRun } from './throttle/run.ts'
import { transformRun } from './transform/run.ts'
import { waitSignalRun } from './wait-signal/run.ts'
import { waitWebhookRun } from './wait-webhook/run.ts'
import { writeFileRun } from './write-file/run.ts'

/** Each kind's run takes exactly what its spec's schema gives. */
type TaskRuns = {
  readonly [Kind in RunnerTaskKind]: TaskRun<z.infer<(typeof taskSpecs)[Kind]['parameters']>>
}

/** The run of every kind, by kind: call it with parameters that the kind's own schema has validated. */
export function createTaskRuns(ports: TaskPorts): ReadonlyMap<string, TaskRun<unknown>> {
  const runs: TaskRuns = {
    'http-request': createHttpRequestRun(ports),
    'ask-model': createAskModelRun(ports),
    'send-mail': createSendMailRun(ports),
    notify: createNotifyRun(ports),
    'shell-command': createShellCommandRun(ports),
    script: createScriptRun(ports),
    javascript: createJavaScriptRun(ports),
    'code-task': createCodeTaskRun(ports),
    transform: transformRun,
    if: ifRun,
    switch: switchRun,
    map: createMapRun(ports),
    loop: loopRun,
    'break-loop': breakLoopRun,
    'next-turn': nextTurnRun,
    delay: delayRun,
    throttle: throttleRun,
    semaphore: semaphoreRun,
    'circuit-breaker': circuitBreakerRun,
    'wait-signal': waitSignalRun,
    'wait-webhook': waitWebhookRun,
    approval: approvalRun,
    'emit-event': emitEventRun,
    'sub-workflow': subWorkflowRun,
    'steer-runs': steerRunsRun,
    stop: stopRun,
    'read-file': readFileRun,
    'write-file': writeFileRun,
    'list-files': listFilesRun,
    'hash-file': hashFileRun,
    'copy-file': copyFileRun,
    'delete-file': deleteFileRun,
    'zip-files': zipFilesRun,
    'unzip-file': unzipFileRun,
    'undo-files': undoFilesRun,
    'parse-csv': parseCsvRun,
    'build-csv': buildCsvRun,
    'parse-data': parseDataRun,
    'build-data': buildDataRun,
    'parse-html': parseHtmlRun,
    validate: validateRun,
    'set-values': setValuesRun,
    'redis-command': createRedisCommandRun(ports),
    s3: createS3Run(ports),
    'ssh-command': createSshCommandRun(ports),
    'docker-run': createDockerRun(ports),
    'sql-query': createSqlQueryRun(ports),
    'sql-statement': createSqlStatementRun(ports),
    'sql-export': createSqlExportRun(ports),
    log: logRun,
    debug: debugRun,
    noop: noopRun,
  }
  // The map forgets which schema belongs to which run; the caller looks both up by the same kind.
  return new Map(Object.entries(runs) as [string, TaskRun<unknown>][])
}
