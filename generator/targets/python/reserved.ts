/** Names that the generated Python cannot give to something of the document. */

const KEYWORDS = `
  False None True and as assert async await break class continue def del elif else except finally
  for from global if import in is lambda nonlocal not or pass raise return try while with yield`;

/** What the generated modules of types, errors and the client use beside the document's own names. */
const USED = `
  Any Final Literal Never NotRequired TypeAlias TypedDict Union annotations bool cast dict float int
  frozenset isinstance list object overload property str super tuple type
  AsyncClient BaseAsyncClient BaseClient Client Document ERRORS ErrorFacts OMIT Omit Params ROUTES Route
  RpcError SERVICE_ERRORS _DOCUMENT`;

/** What clients offer, and the decorator that a method of this name would hide from those behind it. */
const MEMBERS = 'batch close overload request submit with_response';

/** Members of every error, and the decorator that a member of this name would hide. */
const ERROR_MEMBERS = `
  add_note args code data facts message method property reason response retryable revert_reason shared_cause
  status with_traceback`;

/** Exceptions of Python and of the package. */
const EXCEPTIONS = `
  ArithmeticError AssertionError AttributeError BaseException BlockingIOError BrokenPipeError
  BufferError BytesWarning ChildProcessError ConnectionAbortedError ConnectionError
  ConnectionRefusedError ConnectionResetError DeprecationWarning EOFError EncodingWarning
  EnvironmentError Exception FileExistsError FileNotFoundError FloatingPointError FutureWarning
  GeneratorExit IOError ImportError ImportWarning IndentationError IndexError InterruptedError
  IsADirectoryError KeyError KeyboardInterrupt LookupError MemoryError ModuleNotFoundError NameError
  NotADirectoryError NotImplementedError OSError OverflowError PendingDeprecationWarning
  PermissionError ProcessLookupError RecursionError ReferenceError ResourceWarning RuntimeError
  RuntimeWarning StopAsyncIteration StopIteration SyntaxError SyntaxWarning SystemError SystemExit
  TabError TimeoutError TypeError UnboundLocalError UnicodeDecodeError UnicodeEncodeError UnicodeError
  UnicodeTranslateError UnicodeWarning UserWarning ValueError Warning ZeroDivisionError
  CallTimeoutError ClientError RpcError TransportError`;

function wordSet(...lists: readonly string[]): ReadonlySet<string> {
  return new Set(lists.join(' ').split(/\s+/).filter(Boolean));
}

/** Python's keywords. */
export const keywords = wordSet(KEYWORDS);

/** Not usable as the name of a type. */
export const reservedTypes = wordSet(KEYWORDS, USED, EXCEPTIONS);

/** Not usable as the name of a method of a client. */
export const reservedMembers = wordSet(KEYWORDS, MEMBERS);

/** Not usable as the name of a parameter. */
export const reservedParameters = wordSet(KEYWORDS, 'self');

/** Not usable as the name of a member of an error. */
export const reservedErrorMembers = wordSet(KEYWORDS, ERROR_MEMBERS);

/** Not usable as the name of an error's class. */
export const reservedErrors = wordSet(KEYWORDS, USED, EXCEPTIONS);
