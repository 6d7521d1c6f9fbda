import type { PageMessages } from './messages.js';

/** Turkish. */
export const tr: PageMessages = {
  demo: 'Bu, yerel testler için bir demodur. Gerçek bir şifre girmeyin.',
  logIn: 'Oturum aç',
  loginFor: '{client} uygulamasına devam etmek için oturum açın.',
  username: 'Kullanıcı adı',
  password: 'Şifre',
  cancel: 'İptal et ve geri dön',
  wrongPassword: 'Kullanıcı adı veya şifre hatalı.',
  consentTitle: 'Erişime izin verilsin mi?',
  consent: '{client} uygulaması hesabınıza erişmek istiyor:',
  accessResource: '{resource} için erişim:',
  confirmAgain: '{client} uygulamasına devam etmek istediğinizi onaylayın.',
  scopeOpenid: 'Kim olduğunuzu bilme',
  scopeProfile: 'Adınızı ve profilinizi görme',
  scopeEmail: 'E-posta adresinizi görme',
  scopeAddress: 'Posta adresinizi görme',
  scopePhone: 'Telefon numaranızı görme',
  scopeOffline: 'Uygulamayı kullanmadığınız zamanlarda da erişimi sürdürme',
  privacyPolicy: 'Gizlilik politikası',
  terms: 'Hizmet şartları',
  documentHost: 'Bu uygulamayı şu web sitesi yayınlıyor:',
  loopbackWarning:
    'Bu uygulama cihazınızda çalışıyor ve cihazınızdaki başka programlar onun yerine geçebilir. Yalnızca uygulamayı az önce kendiniz başlattıysanız erişime izin verin.',
  destination: 'Seçiminiz ne olursa olsun {site} adresine döneceksiniz.',
  allow: 'İzin ver',
  refuse: 'İzin verme',
  expiredTitle: 'Bu sayfanın süresi doldu',
  expired: 'Uygulamaya geri dönüp yeniden başlayın.',
  badRequest: 'Uygulama, yerine getiremediğimiz bir istek gönderdi. Uygulamaya geri dönüp yeniden deneyin.',
  tooManyRequests:
    'Ağınızdan çok fazla oturum açma denemesi yapıldı. Bir dakika bekleyin, ardından uygulamaya geri dönüp yeniden deneyin.',
  details: 'Bu durum tekrarlanırsa şu ayrıntıları uygulamayı yönetenlere gönderin:',
  fault: 'Sorun bizden kaynaklanıyor. Lütfen biraz sonra yeniden deneyin.',
};
