import { pageScript } from '@vestibule/http/pages';

/** How long clients have before the page shows the result, in milliseconds. */
export const CLIENT_TIMEOUT_MS = 3_000;
/**
 * How long the result is shown before the browser goes on: by default, and if the end-user has something to do. In
 * milliseconds.
 */
const RESULT_DISPLAY_MS = 400;
const ADVICE_DISPLAY_MS = 10_000;
/**
 * Interval at which the states of the back channel are read, before and after the page shows the result, in
 * milliseconds.
 */
const POLL_MS = 500;
const LATER_POLL_MS = 5_000;
const MAX_POLLS = 100;

/** The message with which a client's page confirms that it ended its session. */
const CONFIRMATION_MESSAGE = 'logged out';

/**
 * Shows the state of each client. `notified`: the frame of its page has loaded, so the request was sent; browsers load
 * an error page in the same way, so it proves no more. `confirmed`: its page sent {@link CONFIRMATION_MESSAGE} from the
 * origin that the client registered, or its back channel accepted the logout token. Other messages, such as those of
 * widgets in a login page, and pages of other origins that the frame was redirected to prove nothing.
 *
 * The syntax is ECMAScript 5, for old browser engines and HtmlUnit. If the `load` events of frames do not reach the
 * document, the `load` event of the window stands for all of them: it fires when every frame has loaded (HTML,
 * "completely finish loading").
 */
export const NOTIFICATION_SCRIPT = pageScript(`
(function () {
  var confirmed = [], loaded = [], deliveries = [], polls = 0, isOver = false, isReady = false;
  function byId(id) { return document.getElementById(id); }
  function frames() { return document.getElementsByTagName('iframe'); }
  function indexOf(matches) {
    var all = frames();
    for (var i = 0; i < all.length; i += 1) if (matches(all[i])) return i;
    return -1;
  }
  function stateOf(item) {
    var frame = item.getAttribute('data-frame');
    var delivery = deliveryStateOf(item);
    if (delivery === 'delivered' || (frame !== '' && confirmed[frame])) return 'confirmed';
    if (frame !== '' && loaded[frame]) return 'notified';
    if (delivery === 'retrying') return 'retrying';
    if (frame === '' && (delivery === 'none' || delivery === 'given_up')) return 'failed';
    if (!isOver) return 'waiting';
    return delivery === 'waiting' ? 'retrying' : 'failed';
  }
  function deliveryStateOf(item) {
    var delivery = item.getAttribute('data-delivery');
    return delivery === '' ? 'none' : deliveries[delivery] || 'waiting';
  }
  function show() {
    var list = byId('clients'), status = byId('status'), count = { length: 0 };
    for (var item = list.firstElementChild; item; item = item.nextElementSibling) {
      var state = stateOf(item), label = item.lastElementChild;
      label.className = state;
      label.textContent = list.getAttribute('data-' + state);
      count[state] = (count[state] || 0) + 1;
      count.length += 1;
      if (state === 'waiting' || deliveryStateOf(item) === 'waiting') count.open = true;
    }
    var sentence = 'asking';
    if (isOver) {
      sentence = 'asked';
      if (count.confirmed === count.length) sentence = 'all';
      if (count.failed || count.retrying) sentence = 'some';
    }
    var text = status.getAttribute('data-' + sentence);
    if (status.textContent !== text) status.textContent = text;
    return { isSettled: !count.open, isFinal: !count.open && !count.retrying, hasAdvice: sentence === 'some' };
  }
  function end() {
    if (isOver) return;
    isOver = true;
    var next = byId('status').getAttribute('data-next'), seen = show();
    if (next) setTimeout(function () { location.replace(next); }, seen.hasAdvice ? ${ADVICE_DISPLAY_MS} : ${RESULT_DISPLAY_MS});
  }
  function look() {
    if (isReady && show().isSettled) end();
  }
  function poll() {
    var list = byId('clients'), receipt = list.getAttribute('data-receipt');
    polls += 1;
    if (!receipt || polls > ${MAX_POLLS}) return;
    var request = new XMLHttpRequest();
    request.open('POST', list.getAttribute('data-action'));
    request.setRequestHeader('Content-Type', 'application/x-www-form-urlencoded');
    request.onload = function () {
      if (request.status === 200) deliveries = JSON.parse(request.responseText);
      look();
    };
    request.onreadystatechange = function () {
      if (request.readyState === 4 && !show().isFinal) setTimeout(poll, isOver ? ${LATER_POLL_MS} : ${POLL_MS});
    };
    request.send('receipt=' + encodeURIComponent(receipt));
  }
  document.addEventListener('load', function (event) {
    var index = indexOf(function (frame) { return frame === event.target; });
    if (index >= 0) loaded[index] = true;
    look();
  }, true);
  window.addEventListener('message', function (event) {
    if (event.data !== '${CONFIRMATION_MESSAGE}') return;
    var index = indexOf(function (frame) {
      return frame.contentWindow === event.source && frame.getAttribute('data-origin') === event.origin;
    });
    if (index >= 0) confirmed[index] = true;
    look();
  });
  function ready() {
    if (!isReady) setTimeout(poll);
    isReady = true;
    look();
  }
  document.addEventListener('DOMContentLoaded', ready);
  window.addEventListener('load', function () {
    for (var i = 0; i < frames().length; i += 1) loaded[i] = true;
    ready();
  });
  setTimeout(end, ${CLIENT_TIMEOUT_MS});
})();
`);
