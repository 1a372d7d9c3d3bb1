/** Errors of steps that use other services: databases, mail, stores of objects, models. */

import { entry } from './error-entry.ts'

export const taskErrorCatalogue = {
  connection_failed: entry(
    'The server could not be reached, or it ended the connection.',
    'Check host, port and encryption in the node’s settings, and that the server runs.',
    true,
  ),
  sign_in_refused: entry(
    'The server did not accept who the step says it is.',
    'Check user name, password and the name of what is opened there.',
  ),
  sign_in_failed: entry(
    'The step got no access token to sign in with.',
    'Check the token address in the node’s settings, and that its server runs.',
    true,
  ),
  host_key_unknown: entry(
    'The server showed another key than those that are known of it: it may be somebody else.',
    'Ask its owner whether the key was changed. If it was, put the new one into the node’s settings.',
  ),
  archive_refused: entry(
    'The archive is not one that may be unpacked.',
    'Look at it yourself, or raise the limits in the node’s settings if you trust it.',
  ),
  cost_limit: entry(
    'The call could cost more than it may.',
    'Ask for less, lower the most tokens of the answer, or raise the highest cost.',
  ),
  http_proxy_failed: entry(
    'The proxy did not let the request through.',
    'Check under “Connection” its address, user name and password, and whether it may connect to that host and port.',
    true,
  ),
  http_page_invalid: entry(
    'The answer is not a page that the step can go on from.',
    'Check under “Pages” where the items are and what leads to the next page.',
  ),
  http_too_many_pages: entry(
    'There are more pages than the step may read.',
    'Raise the limits under “Pages”, ask for fewer items, or choose to keep what came.',
  ),
  mail_refused: entry(
    'The mail server did not take the message.',
    'Read what it says: an address, a size or a rule of the server is in the way.',
  ),
  container_not_started: entry(
    'The container could not be started.',
    'Read what its engine says: it may not run, or the image or a mounted folder may be missing.',
    true,
  ),
  object_not_found: entry(
    'There is no such object in the store.',
    'Check bucket and key; connect the error port where it may be missing.',
  ),
  redis_command_refused: entry(
    'The Redis server refused a command.',
    'Read what it says, and correct the command or its arguments.',
  ),
  model_refused: entry(
    'The model did not answer.',
    'Ask in other words, or another model; connect the error port to go on without it.',
  ),
  model_answer_broken: entry(
    'The answer of the model’s service broke off, or was none.',
    'Let the step try again; if it stays so, check that the service speaks OpenAI’s protocol.',
    true,
  ),
  data_invalid: entry('The text can’t be read as what it should be.', 'Correct it at the named place.'),
  data_too_slow: entry(
    'Reading the text took too long.',
    'Take a simpler selector or a smaller text, or work on the file with a command.',
  ),
  value_invalid: entry(
    'The value is not what this step lets through.',
    'Correct where it comes from, or connect the step’s other way out.',
  ),
  file_exists: entry(
    'Something is there already.',
    'Choose another place, or what the step does then in its settings.',
  ),
  file_place_denied: entry(
    'The workflow may not use this place on the disk.',
    'Use another place, or add the folder to the paths in the workflow’s capability list.',
  ),
  sql_failed: entry(
    'The database refused the statement.',
    'Read what it says, and correct the statement or its parameters.',
  ),
} as const
