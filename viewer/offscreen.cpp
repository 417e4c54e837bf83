// The EGL side of off-screen drawing. OpenSceneGraph's own pbuffers need an X display, so the context is created here and passed to the
// viewer as if it were embedded in a window.
#include "viewer/offscreen.hpp"

#include <EGL/egl.h>
#include <EGL/eglext.h>

#include <osg/GL>
#include <osgViewer/Viewer>

namespace vertebra::viewer {

namespace {

class EglOffscreen : public Offscreen {
 public:
  ~EglOffscreen() override {
    if (context_ != EGL_NO_CONTEXT) eglMakeCurrent(display_, surface_, surface_, context_);
    viewer_ = nullptr;  // releases its OpenGL objects while the context still exists
    if (display_ == EGL_NO_DISPLAY) return;
    eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    if (context_ != EGL_NO_CONTEXT) eglDestroyContext(display_, context_);
    if (surface_ != EGL_NO_SURFACE) eglDestroySurface(display_, surface_);
    // The whole process shares the display; it is not closed.
  }

  bool open(int width, int height, int samples, std::string& error) {
    width_ = width;
    height_ = height;
    const auto platformDisplay = reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(eglGetProcAddress("eglGetPlatformDisplayEXT"));
    if (platformDisplay) display_ = platformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
    if (display_ == EGL_NO_DISPLAY || !eglInitialize(display_, nullptr, nullptr)) return failed("no surfaceless EGL display", error);
    if (!eglBindAPI(EGL_OPENGL_API)) return failed("EGL without OpenGL", error);

    EGLConfig config = nullptr;
    samples_ = choose(samples, config) ? samples : 0;
    if (!config && !choose(0, config)) return failed("no EGL configuration for a pbuffer", error);
    const EGLint size[] = {EGL_WIDTH, width, EGL_HEIGHT, height, EGL_NONE};
    surface_ = eglCreatePbufferSurface(display_, config, size);
    if (surface_ == EGL_NO_SURFACE) return failed("no pbuffer", error);
    context_ = eglCreateContext(display_, config, EGL_NO_CONTEXT, nullptr);
    if (context_ == EGL_NO_CONTEXT) return failed("no OpenGL context", error);
    if (!eglMakeCurrent(display_, surface_, surface_, context_)) return failed("the OpenGL context cannot be made current", error);

    viewer_ = new osgViewer::Viewer;
    viewer_->setThreadingModel(osgViewer::Viewer::SingleThreaded);
    viewer_->setUpViewerAsEmbeddedInWindow(0, 0, width, height);
    viewer_->setKeyEventSetsDone(0);
    GLint buffer = GL_FRONT;  // drivers differ in the name of a pbuffer's only buffer
    glGetIntegerv(GL_DRAW_BUFFER, &buffer);
    viewer_->getCamera()->setDrawBuffer(buffer);
    viewer_->getCamera()->setReadBuffer(buffer);
    viewer_->getCamera()->setComputeNearFarMode(osg::CullSettings::DO_NOT_COMPUTE_NEAR_FAR);
    return true;
  }

  void setScene(osg::Node* scene, const osg::Vec4& background) override {
    eglMakeCurrent(display_, surface_, surface_, context_);
    viewer_->setSceneData(scene);
    viewer_->getCamera()->setClearColor(background);
    viewer_->realize();
  }

  void draw(const osg::Matrixd& projection, const osg::Matrixd& view) override {
    eglMakeCurrent(display_, surface_, surface_, context_);
    viewer_->getCamera()->setProjectionMatrix(projection);
    viewer_->getCamera()->setViewMatrix(view);
    viewer_->frame();
    glFinish();
  }

  osg::ref_ptr<osg::Image> image() override {
    eglMakeCurrent(display_, surface_, surface_, context_);
    image_->readPixels(0, 0, width_, height_, GL_RGB, GL_UNSIGNED_BYTE, 1);
    return image_;
  }

  int samples() const override { return samples_; }

 private:
  bool choose(EGLint samples, EGLConfig& config) const {
    const EGLint wanted[] = {EGL_SURFACE_TYPE,
                             EGL_PBUFFER_BIT,
                             EGL_RENDERABLE_TYPE,
                             EGL_OPENGL_BIT,
                             EGL_RED_SIZE,
                             8,
                             EGL_GREEN_SIZE,
                             8,
                             EGL_BLUE_SIZE,
                             8,
                             EGL_DEPTH_SIZE,
                             24,
                             EGL_SAMPLES,
                             samples,
                             EGL_NONE};
    EGLint count = 0;
    return eglChooseConfig(display_, wanted, &config, 1, &count) && count > 0;
  }

  static bool failed(const char* what, std::string& error) {
    error = std::string("cannot draw off-screen: ") + what + "; Debian: apt-get install libegl1 libegl-mesa0 libgl1-mesa-dri";
    return false;
  }

  int width_ = 0, height_ = 0, samples_ = 0;
  EGLDisplay display_ = EGL_NO_DISPLAY;
  EGLSurface surface_ = EGL_NO_SURFACE;
  EGLContext context_ = EGL_NO_CONTEXT;
  osg::ref_ptr<osgViewer::Viewer> viewer_;
  osg::ref_ptr<osg::Image> image_ = new osg::Image;  // kept: its memory is used again
};

}  // namespace

std::unique_ptr<Offscreen> Offscreen::create(int width, int height, int samples, std::string& error) {
  auto made = std::make_unique<EglOffscreen>();
  if (!made->open(width, height, samples, error)) return nullptr;
  return made;
}

}  // namespace vertebra::viewer
